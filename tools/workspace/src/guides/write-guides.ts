import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { renderedGuides } from './rendered-guides.js';

// `npm run guides`: writes the guides of the developer portal as HTML.
const file = 'apps/portal/src/guides/generated/guides.json';
writeFileSync(join(root, file), `${JSON.stringify(renderedGuides(), null, 1)}\n`);
console.log(file);
