// What the rows of one run wait for outside their workers, by seat and portion, so that it can be called off when the
// row is gone: nobody is woken, and nothing is fetched, for a row that ended otherwise.
import type { CancelTimer } from '../base/clock.ts';
import type { Seat } from './seat.ts';

export class Outstanding {
  readonly #ofSeats = new Map<Seat, Map<number, Set<CancelTimer>>>();

  /** Notes something to call off; the function returned forgets it again. */
  add(seat: Seat, portion: number, callOff: CancelTimer): () => void {
    const ofSeat = this.#ofSeats.get(seat) ?? new Map<number, Set<CancelTimer>>();
    const ofPortion = ofSeat.get(portion) ?? new Set();
    ofPortion.add(callOff);
    this.#ofSeats.set(seat, ofSeat.set(portion, ofPortion));
    return () => void ofPortion.delete(callOff);
  }

  /** The portion is done. */
  drop(seat: Seat, portion: number): void {
    const ofSeat = this.#ofSeats.get(seat);
    ofSeat?.get(portion)?.forEach((callOff) => callOff());
    ofSeat?.delete(portion);
  }

  /** The worker is lost. */
  dropSeat(seat: Seat): void {
    this.#ofSeats.get(seat)?.forEach((ofPortion) => ofPortion.forEach((callOff) => callOff()));
    this.#ofSeats.delete(seat);
  }

  clear(): void {
    for (const seat of [...this.#ofSeats.keys()]) this.dropSeat(seat);
  }
}
