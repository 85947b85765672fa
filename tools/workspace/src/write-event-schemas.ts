import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coreBankFiles } from './core-bank-schemas.js';
import { eventsReadme, publishedTypes, schemaFile } from './event-schemas.js';
import { root } from './sources.js';

// `npm run events:schemas`: writes docs/events (keeping the files of older versions) and the schemas for a
// core bank.
const folder = join(root, 'docs/events');
mkdirSync(folder, { recursive: true });
const types = publishedTypes();
for (const type of types)
  writeFileSync(join(folder, schemaFile(type)), `${JSON.stringify(type.schema, null, 2)}\n`);
writeFileSync(join(folder, 'README.md'), eventsReadme(types));
console.log(`docs/events: ${types.length} event types`);

for (const [file, text] of Object.entries(coreBankFiles())) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  console.log(file);
}
