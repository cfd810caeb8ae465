import type { VNode } from 'preact';
import type { z } from 'zod';
import type { ApiError } from '../../platform/operation/api-error';
import { maxCountedEntries } from '../../platform/operation/vocabulary';
import { HiddenFields, Submit } from '../../platform/site/buttons';
import { callOperation } from '../../platform/site/call-operation';
import { Dash, Link, OneLine, Pager, Panel, Soft, Table, Tabs, Time } from '../../platform/site/elements';
import { CheckboxList, Form, SearchForm, TextField } from '../../platform/site/form';
import { FormId, formKey } from '../../platform/site/form-id';
import type { Page } from '../../platform/site/layout';
import { givenParameters } from '../../platform/site/query';
import { sentValues } from '../../platform/site/site';
import type { Site } from '../../platform/site/site';
import { mayChange } from '../../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import { jobInterviewList } from '../job-interview-list';
import type { ListedInterview } from '../job-interview-list';
import { positionCreate } from '../position-create';
import { readEntered, Fields, toOperationInput } from './field-forms';
import type { EnteredValues } from './field-forms';
import { StatusBadge, statusTabs } from './interview-words';
import { newPositionDefaults, newPositionFields, listPossibleSteps } from './position-fields';

const path = '/positions';
const limit = 50;
type Filter = Record<string, string>;
/** The form of a new position that was rejected, which the page shows again. */
type Refused = { entered: EnteredValues; steps: readonly string[]; error: ApiError };

/** Adds the page that lists the positions, and the page of a new one. */
export function addPositionsPage(site: Site, deps: ConsoleDeps): void {
  site.page('console-positions', path, async (visit, { query }) => {
    const filter = givenParameters(query, ['status', 'filter_text']);
    const { reply, error } = await callOperation(deps, visit, jobInterviewList, {
      ...filter,
      is_multistage: 'true',
      limit: String(limit),
      offset: query['offset'] ?? '0',
    });
    return {
      title: 'Positions',
      at: path,
      status: error?.status,
      content: (
        <>
          <Tabs path={path} label="Positions" name="status" entries={statusTabs} query={filter} />
          {mayChange(visit) && (
            <p>
              <Link class="button" to={`${path}/new`}>
                New position
              </Link>
            </p>
          )}
          <Panel>
            <FilterForm filter={filter} error={error} />
          </Panel>
          <Panel live="positions">
            {reply && (
              <>
                <PositionTable positions={reply.data} isFiltered={Object.keys(filter).length > 0} />
                <Pager path={path} {...reply.pagination} countedTo={maxCountedEntries} query={filter} />
              </>
            )}
          </Panel>
        </>
      ),
    };
  });

  const renderNew = async (visit: ConsoleVisit, refused?: Refused): Promise<Page> => {
    const free = await listPossibleSteps(deps, visit, { limit });
    return {
      title: 'New position',
      at: path,
      status: refused?.error.status,
      content: (
        <Panel>
          <p class="soft">
            A position is a job with up to ten interviews, its steps. Candidates take them one after the
            other, and enter the next one when you advance them.
          </p>
          <Form
            path={`${path}/new`}
            names={[...newPositionFields.map(({ name }) => name), 'steps']}
            error={refused?.error}
          >
            <FormId />
            <Fields fields={newPositionFields} entered={refused?.entered ?? newPositionDefaults} />
            <FirstSteps free={free} checked={refused?.steps ?? []} />
            <Submit>Create position</Submit>
          </Form>
        </Panel>
      ),
    };
  };
  site.page('console-position-new', `${path}/new`, (visit) => renderNew(visit));
  site.post('console-position-create', `${path}/new`, async (visit, sent) => {
    const entered = readEntered(newPositionFields, sent);
    const steps = sentValues(sent, 'steps');
    const input = { ...toOperationInput(newPositionFields, entered), steps };
    const { reply, error } = await callOperation(
      deps,
      visit,
      positionCreate,
      input as z.input<typeof positionCreate.input>,
      { key: formKey(sent) },
    );
    if (error) return renderNew(visit, { entered, steps, error });
    return { goTo: `${path}/${reply.position_id}`, flash: 'Position created.' };
  });
}

const FilterForm = ({ filter, error }: { filter: Filter; error: ApiError | undefined }): VNode => {
  const { status, filter_text = '' } = filter;
  return (
    <SearchForm path={path} names={['filter_text']} error={error}>
      {status !== undefined && <HiddenFields fields={{ status }} />}
      <TextField name="filter_text" label="Name or reference" value={filter_text} maxlength={200} />
      <div>
        <button class="plain">Apply</button>{' '}
        {filter_text && (
          <Link to={path} query={{ status }}>
            Clear
          </Link>
        )}
      </div>
    </SearchForm>
  );
};

const PositionTable = (props: { positions: readonly ListedInterview[]; isFiltered: boolean }): VNode => (
  <Table
    caption="Positions"
    columns={['Position', 'Status', 'Reference', 'Results', 'Created']}
    rows={props.positions.map(({ id, name, status, code, result_count, created_at }) => [
      <OneLine text={name} to={`${path}/${id}`} />,
      <StatusBadge status={status} />,
      code === null ? <Dash /> : <OneLine text={code} />,
      result_count > 0 ? (
        <Link to="/results" query={{ interview_id: id }}>
          {result_count}
        </Link>
      ) : (
        0
      ),
      <Time at={created_at} />,
    ])}
    empty={props.isFiltered ? 'No positions match these filters.' : 'No positions yet.'}
  />
);

const FirstSteps = (props: { free: readonly ListedInterview[]; checked: readonly string[] }): VNode =>
  props.free.length === 0 ? (
    <p class="soft">
      Every interview is a step already. <Link to="/interviews/new">Create an interview</Link> first.
    </p>
  ) : (
    <div>
      <CheckboxList
        name="steps"
        label="Steps"
        options={props.free.toReversed().map(({ id, name }) => ({ value: id, label: name }))}
        checked={props.checked}
      />
      <Soft>
        The newest interviews that are no step yet, in the order in which they become steps. Add others, and
        change the order, on the next page.
      </Soft>
    </div>
  );
