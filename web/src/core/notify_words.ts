import { translator } from '../i18n';
import en from '../i18n/notify.en.json';
import fr from '../i18n/notify.fr.json';

/** The words about notifications, the installed app and its updates. */
export const t = translator({ fr, en });
