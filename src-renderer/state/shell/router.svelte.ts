import { addressOf, parseRoute, type AppRoute } from './route.ts';

/** The current route, kept in step with the address and the browser's history. */
export class Router {
  #route = $state.raw<AppRoute>(currentRoute());

  constructor() {
    addEventListener('popstate', () => {
      this.#route = currentRoute();
    });
    addEventListener('click', (event) => this.#follow(event));
  }

  get route(): AppRoute {
    return this.#route;
  }

  go(route: AppRoute): void {
    if (addressOf(route) !== location.pathname + location.search + location.hash)
      history.pushState(null, '', addressOf(route));
    this.#route = route;
  }

  /** Changes the route without a history entry, for text that is typed into a filter letter by letter. */
  replace(route: AppRoute): void {
    history.replaceState(null, '', addressOf(route));
    this.#route = route;
  }

  /** Shows the page of a link. With a modifier the browser opens it, in a new tab. */
  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.origin !== location.origin || link.target !== '') return;
    const route = parseRoute(link.pathname, link.search, link.hash);
    if (route.screen === 'unknown') return;
    event.preventDefault();
    this.go(route);
  }
}

const currentRoute = (): AppRoute => parseRoute(location.pathname, location.search, location.hash);
