// The board's own words, loaded with it; those the frame needs are in `meta.ts`.
import { translator } from '../../i18n';
import en from './board.en.json';
import fr from './board.fr.json';

export const t = translator({ fr, en });

export const koras = (count: number) => t('koras', { count });
