import { Get, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { form, type Page, page, Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { type Visit, Visiting } from '../page/visit.js';
import { testCode, testPassword, testPeople, type TestPerson } from './people.js';

/** The first page: two apps, and the people as whom a visitor can use them. */
@PageController()
export class FrontRoutes {
  @Get()
  front(@Visiting() visit: Visit): Page {
    return frontPage(visit);
  }

  /** Remembers the person whose account the forms suggest. */
  @Post('person')
  pick(@Visiting() { session, form }: Visit): Redirect {
    const person = testPeople.find(({ psuId }) => psuId === form.get('person'));
    if (person !== undefined) session.person = person;
    return new Redirect('/');
  }
}

const apps = [
  {
    to: '/shop',
    name: 'Petar’s Coffee',
    kind: 'A shop',
    text: 'Fill a cart and pay by bank. The order follows the payment, pushed by the bank.',
    button: 'Open the shop',
  },
  {
    to: '/accounts',
    name: 'Moneta',
    kind: 'A money app',
    text: 'Accounts and transactions of your bank, transfers, standing orders, bulk files and signing baskets.',
    button: 'Open the money app',
  },
] as const;

const personCard = (visit: Visit, { name, psuId, shows }: TestPerson): Html => {
  const isPicked = visit.session.person?.psuId === psuId;
  const pick = form(
    visit,
    '/person',
    html`<input type="hidden" name="person" value="${psuId}" />
      <button class="secondary">Pick ${name}</button>`,
  );
  return html`<li>
    <h3>${name}</h3>
    <p>${shows}</p>
    ${isPicked ? html`<p class="picked">✓ Picked</p>` : pick}
  </li>`;
};

const frontPage = (visit: Visit): Page =>
  page(
    visit,
    'See open banking at work',
    html`<p class="lead">
        Two small apps of a third party use the bank’s open interface, and nothing else. Use one of them, then
        open <strong>What just went over the wire</strong> at the bottom of any page: it shows each call, with
        headers and bodies.
      </p>
      <ul class="tiles apps">
        ${apps.map(
          ({ to, name, kind, text, button }) =>
            html`<li>
              <p class="quiet">${kind}</p>
              <h2>${name}</h2>
              <p>${text}</p>
              <p><a class="button" href="${to}">${button}</a></p>
            </li>`,
        )}
      </ul>
      <h2 id="people">Pick a test person</h2>
      <p>
        At the bank you sign in as this person. The password is <code>${testPassword}</code> and the code is
        <code>${testCode}</code>, for all of them.
      </p>
      <ul class="tiles people">
        ${testPeople.map((person) => personCard(visit, person))}
      </ul>`,
  );
