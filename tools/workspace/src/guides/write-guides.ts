import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { generatedPages } from './generated-pages.js';

// `npm run guides`: writes the guides, the changelog and the published events as HTML for the developer portal.
for (const [file, content] of generatedPages()) {
  writeFileSync(join(root, file), `${JSON.stringify(content, null, 1)}\n`);
  console.log(file);
}
