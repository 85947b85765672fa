// `npm run containers`: tests images and Compose on a separate Docker engine (docs/how-to/deploy.md).
import { answerHelp } from './usage.mjs';

answerHelp('containers', process.argv.slice(2));
await import('./containers/play.mjs');
