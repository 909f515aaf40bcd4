import { addressOf, placeOf, type Place } from './place.ts';

/** Where the page is; the address follows, and the browser's back and forward lead here. */
export class Router {
  #place = $state.raw<Place>(herePlace());

  constructor() {
    addEventListener('popstate', () => {
      this.#place = herePlace();
    });
  }

  get place(): Place {
    return this.#place;
  }

  go(place: Place): void {
    if (addressOf(place) !== location.pathname + location.search)
      history.pushState(null, '', addressOf(place));
    this.#place = place;
  }

  /** Without a way back: for what is typed into a filter, letter by letter. */
  replace(place: Place): void {
    history.replaceState(null, '', addressOf(place));
    this.#place = place;
  }
}

const herePlace = (): Place => placeOf(location.pathname, location.search);
