import type { FoundClass } from '../../domain/upstream/address-class.ts';
import { CallRefusal } from './call-error.ts';

/** The address is of a class that the workflow was not granted, or that no workflow can be granted. */
export class RefusedAddress extends CallRefusal {
  readonly host: string;
  readonly address: string;
  /** Class of the address; `own` is Rowbench itself. */
  readonly found: FoundClass | 'own';

  constructor(host: string, address: string, found: FoundClass | 'own') {
    super(`is refused: ${host} (${found})`);
    this.host = host;
    this.address = address;
    this.found = found;
  }
}
