import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { migrations } from './migrations/index.js';
import { NotificationsModule } from './notifications.module.js';

await startService({ name: 'notifications', config, migrations, module: NotificationsModule, byKey: true });
