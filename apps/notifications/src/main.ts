import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { NotificationsModule } from './notifications.module.js';

await startService({ name: 'notifications', config, module: NotificationsModule, byKey: true });
