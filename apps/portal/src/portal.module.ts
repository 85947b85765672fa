import { type DynamicModule, Module } from '@nestjs/common';
import { LivePulses } from '@xs2a/doctor/live-pulses';
import { readPortal } from '@xs2a/runtime/portal/portal-config';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { hasWorkspace, type PortalConfig, workspaceSecrets } from './config.js';
import { ChangelogController } from './changelog/changelog.controller.js';
import { CollectionsController } from './collections/collections.controller.js';
import { ErrorsController } from './errors/errors.controller.js';
import { EventsController } from './events/events.controller.js';
import { ExplorerController } from './explorer/explorer.controller.js';
import { GuidesController } from './guides/guides.controller.js';
import { StartController } from './start/start.controller.js';
import { AssetsController } from './pages/assets.controller.js';
import { ApiDescription } from './reference/api-description.js';
import { ReferenceController } from './reference/reference.controller.js';
import { SearchController } from './search/search.controller.js';
import { StatusController } from './status/status.controller.js';
import { workspaceControllers, workspaceProviders } from './workspace/workspace-parts.js';

/** The developer portal. With PORTAL=off it has no pages. */
@Module({})
export class PortalModule {
  static forRoot({ config }: Pick<ServiceParts<PortalConfig>, 'config'>): DynamicModule {
    if (readPortal(config) === 'off') return { module: PortalModule };
    const isWorkspace = hasWorkspace(config);
    if (isWorkspace) workspaceSecrets(config);
    return {
      module: PortalModule,
      providers: [ApiDescription, LivePulses, ...(isWorkspace ? workspaceProviders : [])],
      controllers: [
        AssetsController,
        StartController,
        ExplorerController,
        GuidesController,
        ReferenceController,
        CollectionsController,
        ErrorsController,
        EventsController,
        ChangelogController,
        SearchController,
        StatusController,
        ...(isWorkspace ? workspaceControllers : []),
      ],
    };
  }
}
