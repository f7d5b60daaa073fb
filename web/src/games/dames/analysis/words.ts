// The words of the analysis page, loaded with it.
import { translator } from '../../../i18n';
import analysisEn from '../analysis.en.json';
import analysisFr from '../analysis.fr.json';
import en from '../en.json';
import fr from '../fr.json';

export const t = translator({ fr: { ...fr, ...analysisFr }, en: { ...en, ...analysisEn } });
