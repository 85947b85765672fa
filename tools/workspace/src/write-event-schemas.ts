import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsReadme, publishedTypes, schemaFile } from './event-schemas.js';
import { root } from './sources.js';

// `npm run events:schemas`: writes docs/events. Files of older versions stay.
const folder = join(root, 'docs/events');
mkdirSync(folder, { recursive: true });
const types = publishedTypes();
for (const type of types)
  writeFileSync(join(folder, schemaFile(type)), `${JSON.stringify(type.schema, null, 2)}\n`);
writeFileSync(join(folder, 'README.md'), eventsReadme(types));
console.log(`docs/events: ${types.length} event types`);
