import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../sources.js';
import { describeRequests } from './described-requests.js';
import { ruleTexts } from './rule-texts.js';

// `npm run refusals`: writes what libs/refusals knows of the contract, the specification and the API description.
const folder = join(root, 'libs/refusals/src/generated');
for (const [name, content] of [
  ['rules', ruleTexts()],
  ['requests', describeRequests('lev')],
  ['euro-requests', describeRequests('euro')],
] as const) {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 1)}\n`);
  console.log(`libs/refusals/src/generated/${name}.json`);
}
