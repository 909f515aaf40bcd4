import { addressOf, parseRoute, type AppRoute } from './route.ts';

/** The current route, kept in step with the address and the browser's history. */
export class Router {
  #route = $state.raw<AppRoute>(currentRoute());

  constructor() {
    addEventListener('popstate', () => {
      this.#route = currentRoute();
    });
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
}

const currentRoute = (): AppRoute => parseRoute(location.pathname, location.search, location.hash);
