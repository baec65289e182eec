"""How values read for people: words, columns of text, and HTML. A layout computes no figure."""

from rentbilling.layout.grid import (
    FAINT as FAINT,
    GAP as GAP,
    PLAIN as PLAIN,
    STRONG as STRONG,
    TITLE as TITLE,
    Grid as Grid,
    GridColumn as GridColumn,
    Page as Page,
    Part as Part,
    cell_width as cell_width,
    padded as padded,
    widest as widest,
)
from rentbilling.layout.html import (
    Head as Head,
    heading as heading,
    html_below as html_below,
    html_bill as html_bill,
    html_table as html_table,
    html_text as html_text,
)
from rentbilling.layout.words import (
    amount_words as amount_words,
    day_words as day_words,
    figure as figure,
    notice_words as notice_words,
    period_words as period_words,
    short_day as short_day,
    short_vat as short_vat,
    vat_total_words as vat_total_words,
)
