// The pages of the site and the browser's history.
import { gamePages } from './games';

export type Route =
  | { page: 'home' }
  | { page: 'table'; code: string; apart?: true }
  | { page: 'screen'; code: string }
  | { page: 'rules'; game: string | null }
  | { page: 'settings' }
  | { page: 'mail'; token: string }
  | { page: 'admin' }
  | { page: 'history' }
  | { page: 'replay'; id: string | null }
  | { page: 'stats'; person: string | null }
  | { page: 'leaders'; game: string | null }
  | { page: 'lesson'; game: string; name: string | null }
  | { page: 'puzzles' }
  | { page: 'puzzle'; game: string; which: string | null }
  | { page: 'own'; path: string }
  | { page: 'lost' };

export function routeOf(path: string): Route {
  const [head, tail, ...rest] = path.split('/').filter(Boolean).map(decode);
  if (head === 'lecons' && tail && rest.length < 2) return { page: 'lesson', game: tail, name: rest[0] ?? null };
  if (head === 'problemes' && tail && rest.length < 2) return { page: 'puzzle', game: tail, which: rest[0] ?? null };
  if (head === 'table' && tail && rest.length === 1) {
    const code = tail.toUpperCase();
    // The board on a large screen, and a player's own hand beside it.
    if (rest[0] === 'ecran') return { page: 'screen', code };
    if (rest[0] === 'main') return { page: 'table', code, apart: true };
  }
  if (rest.length) return { page: 'lost' };
  if (head === undefined) return { page: 'home' };
  if (head === 'table' && tail) return { page: 'table', code: tail.toUpperCase() };
  if (head === 'regles') return { page: 'rules', game: tail ?? null };
  if (head === 'courriel' && tail) return { page: 'mail', token: tail };
  if (head === 'reglages' && !tail) return { page: 'settings' };
  if (head === 'admin' && !tail) return { page: 'admin' };
  if (head === 'parties' && !tail) return { page: 'history' };
  if (head === 'partie') return { page: 'replay', id: tail?.toUpperCase() ?? null };
  if (head === 'statistiques') return { page: 'stats', person: tail ?? null };
  if (head === 'problemes') return { page: 'puzzles' };
  if (head === 'classements') return { page: 'leaders', game: tail ?? null };
  const own = tail ? `${head}/${tail}` : head;
  if (gamePages.has(own)) return { page: 'own', path: own };
  return { page: 'lost' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Router {
  path = $state(location.pathname);
  route = $derived(routeOf(this.path));

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname));
    document.addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string): void {
    if (path === this.path) return;
    history.pushState(null, '', path);
    this.path = location.pathname;
    scrollTo(0, 0);
  }

  /** Plain links stay plain links; those of the site are followed without loading the page again. */
  #follow(event: MouseEvent): void {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
