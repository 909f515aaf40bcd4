// Checks the server's answers against its own /openapi.json as a validating gateway does: with ajv, in strict mode.
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export const operations = ['triggerRun', 'getRunStatus', 'getRunOutput'] as const;
export type Operation = (typeof operations)[number];

type Reference = { readonly $ref: string };
type HeaderObject = { readonly required?: boolean; readonly schema: { readonly type: string } };
type MediaType = {
  readonly schema: object;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
};
type ResponseObject = {
  readonly headers: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content: { readonly 'application/json': MediaType };
};
type OperationObject = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': MediaType } };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
};
type DescriptionObject = {
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>;
  };
};

export type DescribedAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

/** Headers that are part of the interface; others belong to HTTP or protect browsers. */
const isOfInterface = (name: string): boolean =>
  name === 'retry-after' || name === 'allow' || name.startsWith('x-rowbench-');

const documentId = 'openapi.json';

export class ApiDescription {
  readonly document: DescriptionObject;
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true });
  readonly #validators = new Map<object, ValidateFunction>();

  /** @param document the body of /openapi.json */
  constructor(document: unknown) {
    this.document = document as DescriptionObject;
    formats.default(this.#ajv);
    this.#ajv.addVocabulary(Object.keys(this.document));
    this.#ajv.addSchema(this.document, documentId);
  }

  /** HTTP statuses that the document names for an operation. */
  statuses(operation: Operation): readonly number[] {
    return Object.keys(this.#operation(operation).responses).map(Number);
  }

  /** Problems of a request body; empty for one that fits. */
  bodyProblems(operation: Operation, body: unknown): readonly string[] {
    const { requestBody } = this.#operation(operation);
    return requestBody === undefined
      ? ['no body is documented']
      : this.#mismatches(requestBody.content['application/json'].schema, body);
  }

  /** Differences between an answer and its documentation, in words; empty if there are none. */
  problems(operation: Operation, { status, headers, body }: DescribedAnswer): readonly string[] {
    const response = this.#response(operation, status);
    if (response === undefined) return [`${status} is not documented`];
    const [mediaType, media] = Object.entries(response.content)[0] ?? [];
    return [
      ...(headers.get('content-type')?.split(';')[0] === mediaType ? [] : ['the media type is another one']),
      ...this.#headerProblems(response, headers),
      ...this.#mismatches(media?.schema ?? false, body),
    ];
  }

  #headerProblems(response: ResponseObject, headers: Headers): readonly string[] {
    const described = new Map(
      Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), this.#resolved(header)]),
    );
    const sent = [...headers].filter(([name]) => isOfInterface(name));
    return [
      ...sent.flatMap(([name, value]) => {
        const header = described.get(name);
        if (header === undefined) return [`the header ${name} is not documented`];
        const read = header.schema.type === 'integer' ? Number(value) : value;
        return this.#mismatches(header.schema, read).map((problem) => `${name}: ${problem}`);
      }),
      ...[...described]
        .filter(([name, { required }]) => required === true && !headers.has(name))
        .map(([name]) => `the header ${name} is missing`),
    ];
  }

  #mismatches(schema: object | boolean, value: unknown): readonly string[] {
    if (typeof schema === 'boolean') return schema ? [] : ['no body is documented'];
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(this.#absolute(schema));
    this.#validators.set(schema, validate);
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** A schema with its reference made from the document that it stands in. */
  #absolute(schema: object): object {
    return '$ref' in schema ? { $ref: `${documentId}${String(schema.$ref)}` } : schema;
  }

  #operation(id: Operation): OperationObject {
    const all = Object.values(this.document.paths).flatMap((methods) => Object.values(methods));
    const found = all.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`${id} is not documented`);
    return found;
  }

  #response(operation: Operation, status: number): ResponseObject | undefined {
    const response = this.#operation(operation).responses[status];
    return response === undefined ? undefined : this.#resolved(response);
  }

  #resolved<T extends object>(part: T | Reference): T {
    if (!('$ref' in part)) return part;
    const keys = part.$ref.slice(2).split('/');
    return keys.reduce((value: unknown, key) => (value as Record<string, unknown>)[key], this.document) as T;
  }
}
