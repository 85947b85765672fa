import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { ConsoleModule } from './console.module.js';
import { pagesAdapter, preparePages } from './http.js';
import { migrations } from './migrations/index.js';

await startService({
  name: 'console',
  config,
  migrations,
  module: ConsoleModule,
  fastify: pagesAdapter,
  http: preparePages,
});
