import { startService } from '@xs2a/runtime/service';
import { prepareEdge } from './edge/edge.js';
import { edgeAdapter } from './edge/edge-adapter.js';
import { config } from './config.js';
import { GatewayModule } from './gateway.module.js';

await startService({
  name: 'gateway',
  config,
  module: GatewayModule,
  fastify: edgeAdapter,
  http: prepareEdge,
});
