import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEvidence } from './evidence-files.js';
import { root } from './sources.js';

// `npm run evidence`: writes docs/evidence.
const folder = join(root, 'docs/evidence');
const { pages, withoutTest } = readEvidence();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
console.log(`docs/evidence: ${pages.size} pages`);
if (withoutTest.length > 0) console.error(`no test cites:\n${withoutTest.join('\n')}`);
