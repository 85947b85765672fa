import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { migrations } from './migrations/index.js';
import { PaymentsModule } from './payments.module.js';

await startService({ name: 'payments', config, migrations, module: PaymentsModule, byKey: true });
