import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { ConsentsModule } from './consents.module.js';
import { migrations } from './migrations/index.js';

await startService({ name: 'consents', config, migrations, module: ConsentsModule });
