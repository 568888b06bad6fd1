import { Select } from '../ui/Field.tsx'

interface Props<T extends string> {
  label: string
  /** Label of the option that shows all entries. */
  allLabel: string
  options: readonly (readonly [T, string])[]
  value: T | undefined
  onChange: (value: T | undefined) => void
}

export function Filter<T extends string>({ label, allLabel, options, value, onChange }: Props<T>) {
  return (
    <Select
      label={label}
      hidesLabel
      value={value ?? ''}
      onChange={({ target }) => onChange((target.value || undefined) as T | undefined)}
    >
      <option value="">{allLabel}</option>
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </Select>
  )
}
