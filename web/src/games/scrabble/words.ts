// The board's own words, loaded with it; those the frame needs too are in `meta.ts`.
import { translator } from '../../i18n';
import boardEn from './board.en.json';
import boardFr from './board.fr.json';
import en from './en.json';
import fr from './fr.json';
import premoveEn from './premove.en.json';
import premoveFr from './premove.fr.json';

export const t = translator({
  fr: { ...fr, ...boardFr, ...premoveFr },
  en: { ...en, ...boardEn, ...premoveEn },
});
