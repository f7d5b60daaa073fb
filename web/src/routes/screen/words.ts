import { translator } from '../../i18n';
import en from '../../i18n/screen.en.json';
import fr from '../../i18n/screen.fr.json';

/** The words of what several people share: one device, or one large screen. */
export const t = translator({ fr, en });
