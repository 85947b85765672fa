// `npm run containers`: plays images and Compose on a Docker engine of its own (docs/how-to/deploy.md).
import { answerHelp } from './usage.mjs';

answerHelp('containers', process.argv.slice(2));
await import('./containers/play.mjs');
