import { Router } from 'express';
import type { Request } from 'express';
import type { Provider } from 'oidc-provider';
import { addAuditPage } from './account/audit-page';
import { addMerchantAccountPage } from './account/merchant-account-page';
import { addMerchantsPage } from './account/merchants-page';
import { addSettingsPage } from './account/settings-page';
import { addUsagePage } from './account/usage-page';
import { addConnectPage } from './agents/public';
import { addAccessPage } from './identity/access-page';
import { addSignInPages } from './identity/sign-in-pages';
import { addTeamPage } from './identity/team-page';
import { addTeamPositionsPage } from './identity/team-positions-page';
import { addInterviewPage } from './interviews/pages/interview-page';
import { addInterviewsPage } from './interviews/pages/interviews-page';
import { addKnowledgePages } from './interviews/pages/knowledge-page';
import { addNewInterviewPages } from './interviews/pages/new-interview-page';
import { addPositionPage } from './interviews/pages/position-page';
import { addPositionsPage } from './interviews/pages/positions-page';
import { addQuestionPage } from './interviews/pages/question-page';
import { addInterviewSettingsPage } from './interviews/pages/settings-page';
import { addCandidatePage } from './people/pages/candidate-page';
import { addCandidatesPage } from './people/pages/candidates-page';
import { addInvitePages } from './people/pages/invite-page';
import { addMailsPage } from './people/pages/mails-page';
import { addSearchPage } from './people/pages/search-page';
import { addRequestsPage } from './people/requests-page';
import { recognizedCredential } from './platform/http/address-limit';
import { onlyMethod } from './platform/http/only-method';
import { limitRate } from './platform/http/rate-limit';
import { homePath } from './platform/site/layout';
import { createConsoleSite } from './platform/site/site';
import type { ConsoleDeps } from './platform/site/visitor';
import { addReportEditPages } from './reports/pages/report-edit-page';
import { addReportPage } from './reports/pages/report-page';
import { addReportsPage } from './reports/pages/reports-page';
import { addResultPage } from './results/result-page';
import { addResultsPage } from './results/results-page';
import { addSupportPage } from './support/support-page';
import { addDeliveriesPage } from './webhooks/pages/deliveries-page';
import { addDeliveryPage } from './webhooks/pages/delivery-page';
import { addEndpointPage } from './webhooks/pages/endpoint-page';
import { addEndpointsPage } from './webhooks/pages/endpoints-page';
import { addReplaysPage } from './webhooks/pages/replays-page';

/** Serves everything under `/console`: the pages for a merchant's team and for support, on the API's host. */
export function consolePages(deps: ConsoleDeps & { oauth: Provider }): Router {
  const site = createConsoleSite(deps);
  const { router } = site;
  // Sign-in requests and sign-in links are always counted by client address, even for visitors with a session.
  // Otherwise a signed-in visitor could try more of them than others.
  router.post(['/sign-in', '/enter'], deps.addressLimit.guard());
  const sessionKeys = (request: Request) => {
    const cookie = site.cookies.read(request);
    return cookie ? [cookie.hash.toString('hex')] : [];
  };
  router.use(
    deps.addressLimit.guard(sessionKeys),
    limitRate(deps.createLimit('console', deps.ratePerMinute), recognizedCredential),
  );
  addSignInPages(site, deps);
  addMerchantsPage(site, deps);
  addMerchantAccountPage(site, deps);
  addDeliveriesPage(site, deps);
  addDeliveryPage(site, deps);
  addReplaysPage(site, deps);
  addEndpointsPage(site, deps);
  addEndpointPage(site, deps);
  addResultsPage(site, deps);
  addResultPage(site, deps);
  addRequestsPage(site, deps);
  addInterviewsPage(site, deps);
  // This call must precede addInterviewPage, because `/interviews/:id` would also match `/interviews/new`.
  addNewInterviewPages(site, deps);
  addInterviewPage(site, deps);
  addInterviewSettingsPage(site, deps);
  addQuestionPage(site, deps);
  // This call must precede addPositionPage, because `/positions/:id` would also match `/positions/new`.
  addPositionsPage(site, deps);
  addPositionPage(site, deps);
  addKnowledgePages(site, deps);
  addCandidatesPage(site, deps);
  addMailsPage(site, deps);
  // These calls must precede addCandidatePage, because `/candidates/:id` would also match `/candidates/invite`.
  addInvitePages(site, deps);
  addCandidatePage(site, deps);
  addSearchPage(site, deps);
  addReportsPage(site, deps);
  // This call must precede addReportPage, because `/reports/:id` would also match `/reports/new`.
  addReportEditPages(site, deps);
  addReportPage(site, deps);
  addSupportPage(site, deps);
  addTeamPage(site, deps);
  addTeamPositionsPage(site, deps);
  addAccessPage(site, deps);
  addConnectPage(site, deps, deps.oauth);
  addUsagePage(site, deps);
  addAuditPage(site, deps);
  addSettingsPage(site, deps);
  site.refuseOtherMethods();
  // The entry page redirects to the home page, which asks a platform admin to choose a merchant.
  router.all('/', onlyMethod('GET'), ({ originalUrl }, response) => {
    const query = originalUrl.split('?', 2)[1];
    response.redirect(303, `/console${homePath}${query === undefined ? '' : `?${query}`}`);
  });
  router.use(site.missing);
  router.use(site.errorPage);
  return Router().use('/console', router);
}
