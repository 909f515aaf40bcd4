// The waits and calls of one run's rows outside their workers, by seat and portion. They are cancelled when the portion
// ends or its worker is lost: a row that ended otherwise is not woken, and its call is not made.
import type { CancelTimer } from '../../base/clock.ts';
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
