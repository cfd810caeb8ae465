import type { VNode } from 'preact';
import type { ApiError, ErrorItem } from '../../platform/operation/api-error';
import { toOneError } from '../../platform/operation/api-error';
import { HiddenFields } from '../../platform/site/buttons';
import { Link } from '../../platform/site/elements';
import { SelectField, SearchForm, TextField } from '../../platform/site/form';
import { presets } from '../language/resolve-period';

/**
 * The query parameters for filters in the address of a report's page. The other filters are ignored if `period` is
 * missing.
 */
export const filterNames = ['period', 'from', 'to', 'position_id', 'interview_id', 'tests'] as const;
type Sent = Partial<Record<string, string>>;
type Named = { id: string; name: string };

/** The filters in effect, as the form shows them. */
type ShownFilters = {
  period: string;
  from: string;
  to: string;
  positionIds: string[];
  interviewIds: string[];
  tests: boolean;
};

/**
 * The option that stands for several interviews or positions. A report or saved filters can have several, but the
 * form's list can select only one.
 */
const several = 'several';
const all = 'all';

/** Returns the filters that an address or a form contains, or undefined if there are none. */
export function readFilterFields(sent: Sent): Record<string, unknown> | undefined {
  const { period = '', from = '', to = '', position_id: positionId, interview_id: interviewId, tests } = sent;
  if (period === '') return undefined;
  return {
    period: period === 'custom' ? { preset: period, from, to } : { preset: period },
    ...idsOf('position_ids', positionId),
    ...idsOf('interview_ids', interviewId),
    ...(tests === undefined ? {} : { include_test: tests === 'with' }),
  };
}

const idsOf = (key: string, chosen: string | undefined): Record<string, string[]> =>
  chosen === undefined || chosen === several ? {} : { [key]: chosen === all ? [] : [chosen] };

/** Returns the filters in an address as query parameters, for links that keep the filters. */
export const filterQuery = (sent: Sent): Record<string, string> =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = sent[name];
      return sent['period'] && value !== undefined ? [[name, value]] : [];
    }),
  );

/** Reads the filters in effect from the reply of a run. */
export function readEffectiveFilters(filters: Record<string, unknown>): ShownFilters {
  const period = (filters['period'] ?? {}) as { preset?: string; from?: string; to?: string };
  return {
    period: period.preset ?? 'last_30_days',
    from: period.from ?? '',
    to: period.to ?? '',
    positionIds: (filters['position_ids'] ?? []) as string[],
    interviewIds: (filters['interview_ids'] ?? []) as string[],
    tests: filters['include_test'] === true,
  };
}

/** Returns the filters as they were sent, so that a form with errors shows what the visitor entered. */
export const readSentFilters = (sent: Sent): ShownFilters => ({
  period: sent['period'] ?? '',
  from: sent['from'] ?? '',
  to: sent['to'] ?? '',
  positionIds: [sent['position_id'] ?? all].filter((id) => id !== all),
  interviewIds: [sent['interview_id'] ?? all].filter((id) => id !== all),
  tests: sent['tests'] === 'with',
});

/** Returns the label of a preset, such as `Last 30 days` for `last_30_days`. */
const presetName = (preset: string): string =>
  preset === 'custom'
    ? 'Custom dates'
    : preset.charAt(0).toUpperCase() + preset.slice(1).replaceAll('_', ' ');

export function ReportFilters(props: {
  path: string;
  shown: ShownFilters;
  positions: readonly Named[];
  interviews: readonly Named[];
  error: ApiError | undefined;
  isNarrowed: boolean;
  draft: boolean;
}): VNode {
  const { path, shown, positions, interviews, error, isNarrowed, draft } = props;
  return (
    <SearchForm path={path} names={filterNames} error={error && forForm(error)}>
      {draft && <HiddenFields fields={{ draft: '1' }} />}
      <SelectField
        name="period"
        label="Period"
        options={presets.map((value) => ({ value, label: presetName(value) }))}
        value={shown.period}
      />
      <div class="dates-of">
        <TextField name="from" label="From" type="date" value={shown.from} isShort />
        <TextField name="to" label="To" type="date" value={shown.to} isShort />
      </div>
      <NamedChoice name="position_id" label="Position" named={positions} chosen={shown.positionIds} />
      <NamedChoice name="interview_id" label="Interview" named={interviews} chosen={shown.interviewIds} />
      <SelectField
        name="tests"
        label="Test attempts"
        options={[
          { value: 'without', label: 'Leave out' },
          { value: 'with', label: 'Include' },
        ]}
        value={shown.tests ? 'with' : 'without'}
        isShort
      />
      <div>
        <button>Apply</button>{' '}
        {isNarrowed && (
          <Link to={path} query={{ draft: draft ? '1' : undefined }}>
            Clear
          </Link>
        )}
      </div>
    </SearchForm>
  );
}

/**
 * A list in which a person selects "All" or one entry. If the report or the saved filters have several entries, an
 * additional option stands for all of them, so that sending the form keeps them.
 */
function NamedChoice(props: {
  name: string;
  label: string;
  named: readonly Named[];
  chosen: readonly string[];
}): VNode {
  const { name, label, named, chosen } = props;
  const [first = all] = chosen;
  const isSeveral = chosen.length > 1;
  const isKnown = isSeveral || first === all || named.some(({ id }) => id === first);
  const options = [
    { value: all, label: 'All' },
    ...(isSeveral ? [{ value: several, label: `${chosen.length} ${label.toLowerCase()}s` }] : []),
    ...named.map((each) => ({ value: each.id, label: each.name })),
    ...(isKnown ? [] : [{ value: first, label: first }]),
  ];
  return <SelectField name={name} label={label} options={options} value={isSeveral ? several : first} />;
}

/** Gives the errors of filters the names of the form's fields, so that the form can show each error at its field. */
const forForm = (error: ApiError): ApiError => toOneError(error.errors.map(renameError));

function renameError({ name, code, error }: ErrorItem): ErrorItem {
  const field = /^filters\.(?:period\.(from|to)|(period)|(position|interview)_ids)/.exec(name ?? '');
  const control = field ? (field[1] ?? field[2] ?? `${field[3]}_id`) : name;
  // The form lists the choices itself, so the list of values and the example in the error are left out.
  const [, sentence] = /^filters\S*: ([^;]*)/.exec(error) ?? [];
  return { name: control, code, error: field && sentence ? `${control} ${sentence}` : error };
}
