import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { PaymentsModule } from './payments.module.js';

await startService({ name: 'payments', config, module: PaymentsModule, byKey: true });
