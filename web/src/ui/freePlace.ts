/** Fields that text is written into. */
const FIELDS = 'textarea, input:not([type=radio], [type=checkbox], [type=file], [type=range])'
/** Between a notice and what it keeps away from. */
const GAP = 8
/** The form around a field counts with its buttons, unless it fills the page. */
const FORM_SHARE = 0.4

/**
 * How many pixels above its place at the bottom a box covers no field: the fewest there are. Undefined when
 * fields are everywhere.
 */
export function freePlace(box: HTMLElement): number | undefined {
  const { offsetHeight: height } = box
  const { left, right } = box.getBoundingClientRect()
  const around = box.offsetParent?.getBoundingClientRect()
  const start = around ? around.bottom - height : innerHeight - height
  const fields = Array.from(document.querySelectorAll<HTMLElement>(FIELDS), rectOf)
    .filter((field) => field.width > 0 && field.left < right && field.right > left)
    .sort((one, other) => other.bottom - one.bottom)
  let top = start
  for (const field of fields) {
    const isOver = field.bottom > top - GAP && field.top < top + height + GAP
    if (isOver) top = field.top - GAP - height
  }
  return top < 0 ? undefined : Math.round(start - top)
}

function rectOf(field: HTMLElement): DOMRect {
  const form = field.closest('form')?.getBoundingClientRect()
  return form && form.height < innerHeight * FORM_SHARE ? form : field.getBoundingClientRect()
}
