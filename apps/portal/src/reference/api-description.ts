import { Inject, Injectable } from '@nestjs/common';
import type { Profile } from '@xs2a/domain/profile/profile';
import {
  documentSettings,
  type DocumentSettings,
  type OpenApiDocument,
  openApiDocument,
} from '@xs2a/gateway/openapi/document';
import { Clock } from '@xs2a/runtime/clock';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { ServiceParts } from '@xs2a/runtime/service-parts';
import type { PortalConfig } from '../config.js';

/** The API description of the running profile, with the examples of today. */
@Injectable()
export class ApiDescription {
  private readonly settings: DocumentSettings;
  private made:
    | { readonly day: string; readonly profile: string; readonly document: OpenApiDocument }
    | undefined;

  constructor(
    @Inject(CONFIG) config: ServiceParts<PortalConfig>['config'],
    @Inject(PROFILE) private readonly profile: Profile,
    private readonly clock: Clock,
  ) {
    this.settings = documentSettings(config, profile);
  }

  /** Returns the description; it is made again each day, and when the bank switches to another profile. */
  get document(): OpenApiDocument {
    const day = this.clock.date(this.profile.timeZone);
    const { name: profile } = this.profile;
    if (this.made?.day !== day || this.made.profile !== profile)
      this.made = { day, profile, document: openApiDocument(this.settings, day) };
    return this.made.document;
  }
}
