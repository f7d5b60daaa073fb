import en from '../../i18n/lesson.en.json';
import fr from '../../i18n/lesson.fr.json';
import { translator } from '../../i18n';

/** The words of a lesson's page; they are loaded with it. */
export const t = translator({ fr, en });
