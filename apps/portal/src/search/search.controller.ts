import { Controller, Get, Inject, Query } from '@nestjs/common';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import type { Profile } from '@xs2a/domain/profile/profile';
import type { OpenApiDocument } from '@xs2a/gateway/openapi/document';
import type { Html } from '@xs2a/html/html';
import { CONFIG, PROFILE } from '@xs2a/runtime/tokens';
import type { PortalConfig } from '../config.js';
import { guides } from '../guides/guides.js';
import { longestQuery } from '../pages/layout.js';
import { ApiDescription } from '../reference/api-description.js';
import { sharedFixtures } from '../start/fixtures.js';
import { listPassages } from './passages.js';
import { type Hit, searchIn } from './search-index.js';
import { searchPage } from './search-page.js';

/** The search, which works without scripts. */
@Controller('search')
export class SearchController {
  private made:
    | { readonly document: OpenApiDocument; readonly search: (query: string) => readonly Hit[] }
    | undefined;

  constructor(
    private readonly description: ApiDescription,
    @Inject(PROFILE) private readonly profile: Profile,
    @Inject(CONFIG) private readonly config: PortalConfig,
  ) {}

  @Get()
  show(@Query('q') q: string | readonly string[] = ''): Html {
    const query = String([q].flat()[0]).slice(0, longestQuery).trim();
    return searchPage(query, this.search(query));
  }

  /** Searches in an index that is made again when the API description is. */
  private search(query: string): readonly Hit[] {
    const { document } = this.description;
    if (this.made?.document !== document) {
      const { standard } = this.profile;
      const fixtures = sharedFixtures(this.config);
      const passages = listPassages(document, guides[standard], standardOf(this.profile), fixtures);
      this.made = { document, search: searchIn(passages) };
    }
    return this.made.search(query);
  }
}
