import { Controller, Get, Header, Inject } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import { documentSettings } from '@xs2a/gateway/openapi/document';
import type { Html } from '@xs2a/html/html';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { ApiDescription } from '../reference/api-description.js';
import { sharedFixtures } from '../start/fixtures.js';
import { type CollectionFiles, collectionFiles } from './collection-files.js';
import { collectionsPage } from './collections-page.js';

/** The requests of this bank as files for API clients. */
@Controller('collections')
export class CollectionsController {
  private made: { readonly profile: string; readonly files: CollectionFiles } | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: ServiceParts<PortalConfig>['config'],
    @Inject(PROFILE) private readonly profile: Profile,
    private readonly description: ApiDescription,
  ) {}

  @Get()
  show(): Html {
    return collectionsPage(this.description.document, this.files.collection);
  }

  @Get('bruno.zip')
  @Header('Cache-Control', 'no-cache')
  @Header('Content-Disposition', 'attachment; filename="xs2a-bruno.zip"')
  @Header('Content-Type', 'application/zip')
  bruno(): Buffer {
    return Buffer.from(this.files.bruno);
  }

  @Get('postman.json')
  @Header('Cache-Control', 'no-cache')
  @Header('Content-Disposition', 'attachment; filename="xs2a-postman.json"')
  @Header('Content-Type', 'application/json; charset=utf-8')
  postman(): string {
    return this.files.postman;
  }

  /** The files; they are made again when the bank switches to another profile. */
  private get files(): CollectionFiles {
    const { name: profile } = this.profile;
    if (this.made?.profile !== profile) {
      const settings = documentSettings(this.config, this.profile);
      this.made = { profile, files: collectionFiles(settings, sharedFixtures(this.config)) };
    }
    return this.made.files;
  }
}
