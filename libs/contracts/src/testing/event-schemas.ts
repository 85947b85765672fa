import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import type { PublishedEvent } from '@xs2a/events/published-event';

const folder = new URL('../../../../docs/events/', import.meta.url);

/**
 * Creates a validator of published events against docs/events. The validator returns an event's errors, or an
 * empty list if the event matches its schema.
 */
export const eventSchemas = (): ((event: PublishedEvent) => string[]) => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  ajvFormats.default(ajv);
  const validators = new Map<string, ValidateFunction>(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => [file, ajv.compile(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))]),
  );
  return (event) => {
    const file = `${event.type.replace(/^xs2a\./, '')}.v${event.schemaversion}.json`;
    const validate = validators.get(file);
    if (validate === undefined) return [`there is no ${file}`];
    validate(event);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${file}: ${instancePath} ${message}`);
  };
};
