/** Text fields. */
const FIELDS = 'textarea, input:not([type=radio], [type=checkbox], [type=file], [type=range])'
/** Pixels between a notice and a field. */
const GAP = 8
/**
 * Maximum height of a form, as a share of the window, up to which notices avoid the whole form with its
 * buttons.
 */
const FORM_SHARE = 0.4

/**
 * Returns the smallest number of pixels to move a box up so that it covers no field. Undefined if every
 * position covers one.
 */
export function freePlace(box: HTMLElement): number | undefined {
  const { offsetHeight: height } = box
  const { left, right } = box.getBoundingClientRect()
  const around = box.offsetParent?.getBoundingClientRect()
  const start = around ? around.bottom - height : innerHeight - height
  const fields = Array.from(document.querySelectorAll<HTMLElement>(FIELDS), rectOf)
    .filter((field) => field.width > 0 && field.left < right && field.right > left)
    .sort((a, b) => b.bottom - a.bottom)
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
