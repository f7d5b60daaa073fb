import { gameText } from '../../core/games';
import { readable } from '../../core/labels';
import en from '../../i18n/puzzles.en.json';
import fr from '../../i18n/puzzles.fr.json';
import { translator } from '../../i18n';

/** The words of the pages of puzzles; they are loaded with them. */
export const t = translator({ fr, en });

export const kindName = (game: string, kind: string) => gameText(game, `puzzles.${kind}`) ?? readable(kind);
