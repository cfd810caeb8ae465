import { z } from 'zod';
import { ApiError } from '../../platform/operation/api-error';
import { text } from '../../platform/operation/vocabulary';
import { Submit } from '../../platform/site/buttons';
import { Link, Panel, Tabs } from '../../platform/site/elements';
import { FileField, Form, TextArea, TextField } from '../../platform/site/form';
import { FormId, formKey } from '../../platform/site/form-id';
import type { Page } from '../../platform/site/layout';
import { givenParameters } from '../../platform/site/query';
import { sentText } from '../../platform/site/site';
import type { RequestData, Site } from '../../platform/site/site';
import { consoleWriters, mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { interviewOptions } from './interview-options';
import { invitePeople } from './invite-people';
import type { InviteOutcome } from './invite-people';
import { isInvitedOrRegistered, OutcomeTable, SendForm, whyNotInvited } from './invite-rows';
import { settingNames, InviteSettingsForm, settingsOf } from './invite-settings';
import type { InviteSettings } from './invite-settings';
import { maxCharacters, readPeople } from './people-file';
import type { ListedPerson } from './people-file';

const path = '/candidates/invite';
const personNames = ['email', 'name', 'external_id', 'phone'] as const;
const tabs = [
  ['', 'One person'],
  ['csv', 'Many people (CSV)'],
] as const;

/** What the form shows: what was sent before, or the defaults. */
type Shown = { settings: InviteSettings; fields: Record<string, string>; error?: ApiError | undefined };

/** Adds the pages that invite one person, and people of a CSV file after a dry run. */
export function addInvitePages(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    how: string,
    { settings, fields, error }: Shown,
  ): Promise<Page> => {
    const interviews = await interviewOptions(deps, visit, settings.interview_id || undefined, {
      isOpen: true,
    });
    const isFile = how === 'csv';
    return {
      title: 'Invite candidates',
      at: '/candidates',
      status: error?.status,
      content: (
        <>
          <Tabs
            path={path}
            label="How many"
            name="how"
            entries={tabs}
            query={{ how, interview_id: settings.interview_id }}
          />
          <Panel>
            {interviews.length === 0 ? (
              <p>Create an interview first.</p>
            ) : (
              <Form
                path={isFile ? `${path}/check` : path}
                isUpload={isFile}
                names={[...(isFile ? ['file', 'pasted'] : personNames), ...settingNames]}
                error={error}
              >
                {isFile ? <FileFields fields={fields} /> : <PersonFields fields={fields} />}
                <InviteSettingsForm {...{ settings, interviews }} />
                <Submit>{isFile ? 'Check the list' : 'Invite'}</Submit>
              </Form>
            )}
          </Panel>
        </>
      ),
    };
  };

  site.page('console-invite', path, (visit, { query }) => {
    if (!mayChange(visit)) throw new ApiError('forbidden', 'You have read-only access.');
    const settings = {
      ...settingsOf({ form: {} }),
      interview_id: query['interview_id'] ?? '',
      send_email: true,
    };
    return render(visit, query['how'] ?? '', { settings, fields: givenParameters(query, personNames) });
  });

  site.post('console-invite-one', path, async (visit, sent) => {
    const settings = settingsOf(sent);
    const fields = Object.fromEntries(personNames.map((name) => [name, sentText(sent, name)]));
    const person = { row: 1, email: '', name: '', external_id: '', phone: '', ...fields };
    const { outcomes, error } = await invitePeople(deps, visit, [person], settings, {
      key: formKey(sent),
    });
    const [outcome] = outcomes ?? [];
    if (!outcome) return render(visit, '', { settings, fields, error });
    if (!isInvitedOrRegistered(outcome))
      return render(visit, '', {
        settings,
        fields,
        error: new ApiError('invalid_value', whyNotInvited(outcome), 'email'),
      });
    const { link } = outcome;
    return {
      goTo: '/candidates',
      query: { filter_text: person.email },
      flash: link === undefined ? `Invitation to ${person.email} queued.` : `${person.email} registered.`,
      ...(link === undefined
        ? {}
        : { secret: { title: 'Link', secrets: [['link', person.email, link]] as const } }),
    };
  });

  site.post(
    'console-invite-check',
    `${path}/check`,
    async (visit, sent) => {
      const settings = settingsOf(sent);
      const fields = { pasted: sentText(sent, 'pasted') };
      const people = attempt(() => readPeople(sent.files['file']?.content ?? fields.pasted));
      if (people instanceof ApiError) return render(visit, 'csv', { settings, fields, error: people });
      const { outcomes, error } = await invitePeople(deps, visit, people, settings, { dryRun: true });
      if (!outcomes) return render(visit, 'csv', { settings, fields, error });
      return {
        title: 'Check the list',
        at: '/candidates',
        content: (
          <>
            <SendForm path={`${path}/send`} {...{ outcomes, settings }} />
            <Panel>
              <OutcomeTable outcomes={outcomes} isDone={false} />
            </Panel>
          </>
        ),
      };
    },
    { isUpload: true },
  );

  site.post(
    'console-invite-send',
    `${path}/send`,
    async (visit, sent) => {
      const settings = settingsOf(sent);
      const people = peopleOf(sent);
      const { outcomes, error } = await invitePeople(deps, visit, people, settings, {
        key: formKey(sent),
      });
      if (!outcomes) return render(visit, 'csv', { settings, fields: {}, error });
      return {
        title: doneTitle(outcomes, settings),
        at: '/candidates',
        content: (
          <>
            <p>
              <Link to="/candidates" query={{ interview_id: settings.interview_id }}>
                All candidates of the interview
              </Link>
            </p>
            <Panel>
              <OutcomeTable outcomes={outcomes} isDone />
            </Panel>
          </>
        ),
      };
    },
    { isUpload: true, roles: consoleWriters },
  );
}

const FileFields = ({ fields }: { fields: Shown['fields'] }) => (
  <>
    <FileField
      name="file"
      label="CSV file"
      accept=".csv,.tsv,.txt,text/csv"
      hint="Up to 1,000 people. Columns: email, and if you have them name, external_id and phone."
    />
    <TextArea
      name="pasted"
      label="Or paste the rows"
      value={fields['pasted'] ?? ''}
      rows={6}
      maxlength={maxCharacters}
      isCode
    />
  </>
);

const PersonFields = ({ fields }: { fields: Shown['fields'] }) => (
  <>
    <FormId />
    <TextField
      name="email"
      label="Email"
      type="email"
      value={fields['email'] ?? ''}
      maxlength={254}
      required
    />
    <TextField name="name" label="Name" value={fields['name'] ?? ''} maxlength={200} />
    <TextField
      name="external_id"
      label="External ID"
      value={fields['external_id'] ?? ''}
      maxlength={200}
      hint="Your own reference. Results and webhooks show it."
    />
    <TextField name="phone" label="Phone" value={fields['phone'] ?? ''} maxlength={50} />
  </>
);

function doneTitle(outcomes: readonly InviteOutcome[], { send_email }: InviteSettings): string {
  const count = outcomes.filter(isInvitedOrRegistered).length;
  return `${count} ${count === 1 ? 'person' : 'people'} ${send_email ? 'invited' : 'registered'}`;
}

const cell = text(maxCharacters);
const sentPeople = z
  .array(z.object({ row: z.int(), email: cell, name: cell, external_id: cell, phone: cell }))
  .min(1);

/** Reads the people whom the page of the dry run sends back. The operation validates them again. */
function peopleOf(sent: RequestData): ListedPerson[] {
  const json: unknown = attempt(() => JSON.parse(sentText(sent, 'people')) as unknown);
  const parsed = sentPeople.safeParse(json);
  if (!parsed.success) throw new ApiError('invalid_request', 'The list could not be read. Check it again.');
  return parsed.data;
}

function attempt<T>(run: () => T): T | ApiError {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    return new ApiError('invalid_request', 'The list could not be read.');
  }
}
