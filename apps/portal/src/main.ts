import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { portalAdapter, prepareHttp } from './http.js';
import { PortalModule } from './portal.module.js';

await startService({
  name: 'portal',
  config,
  module: PortalModule,
  fastify: portalAdapter,
  http: prepareHttp,
});
