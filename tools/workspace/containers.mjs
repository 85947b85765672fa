// `npm run containers`: tests the images and Compose on a separate Docker engine (docs/how-to/deploy.md). Needs a build.
import { existsSync } from 'node:fs';
import { answerHelp } from './usage.mjs';

answerHelp('containers', process.argv.slice(2));
const program = new URL('../../test/e2e/dist/containers/play.js', import.meta.url);
if (!existsSync(program)) {
  console.error('The project is not built. Run: npm run build');
  process.exit(1);
}
await import(program);
