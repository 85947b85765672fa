import { Controller, Get, Inject, NotFoundException, Param } from '@nestjs/common';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { Html } from '@xs2a/html/html';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import { hasWorkspace, type PortalConfig } from '../config.js';
import { ApiDescription } from './api-description.js';
import { codesPage } from './codes-page.js';
import { indexPage } from './index-page.js';
import { operationPage } from './operation-page.js';
import { listOperations } from './operations.js';

/** The reference: an overview, and a page for each operation of the running profile. */
@Controller('reference')
export class ReferenceController {
  constructor(
    private readonly description: ApiDescription,
    @Inject(CONFIG) private readonly config: PortalConfig,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  @Get()
  index(): Html {
    return indexPage(this.description.document);
  }

  @Get('codes')
  codes(): Html {
    return codesPage(this.description.document, this.profile);
  }

  @Get(':operationId')
  show(@Param('operationId') operationId: string): Html {
    const { document } = this.description;
    const placed = listOperations(document).find(({ operation }) => operation.operationId === operationId);
    if (placed === undefined) throw new NotFoundException();
    const reference = {
      document,
      baseUrl: this.config.BASE_URL,
      standard: standardOf(this.profile),
      hasWorkspace: hasWorkspace(this.config),
    };
    return operationPage(reference, placed);
  }
}
