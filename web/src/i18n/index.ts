export { dates, figure, gained, lang, LANGUAGES, lookup, preferredLang, t, translator } from './i18n.svelte';
export type { KeyOf, Lang, Messages, Translate, Values } from './i18n.svelte';
