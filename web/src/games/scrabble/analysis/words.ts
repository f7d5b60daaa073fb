// The words of the analysis page, loaded with it.
import { translator } from '../../../i18n';
import en from '../analysis.en.json';
import fr from '../analysis.fr.json';

export const t = translator({ fr, en });
