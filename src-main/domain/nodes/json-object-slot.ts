import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json-value.ts';
import { refuse } from './slot-problems.ts';

/** An object taken as it is, all own keys included; `says` names what is expected otherwise. */
export const jsonObjectSlot = (says: string) =>
  z
    .unknown()
    .transform((json, context): JsonObject =>
      isJsonObject(json) ? json : refuse(context, [{ message: says }]),
    )
    .meta({ type: 'object', additionalProperties: true });
