/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module '*.md' {
  const page: import('./core/rules').RulesPage;
  export default page;
}
