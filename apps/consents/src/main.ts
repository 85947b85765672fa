import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { ConsentsModule } from './consents.module.js';

await startService({ name: 'consents', config, module: ConsentsModule });
