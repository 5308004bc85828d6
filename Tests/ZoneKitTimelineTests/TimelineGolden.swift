/// Pictures as they were when somebody last looked at them.
enum TimelineGolden {
  /// A phone in the background, a push it never gets, and a divergence.
  static let small = ##"""
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1138" height="390" \##
    viewBox="0 0 1138 390" role="img" font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', \##
    sans-serif" font-size="12" fill="#24292f">
    <title>scenario small · digest df1748e3f0e57c9f</title>
    <desc>A sequence diagram: time runs down; 4 events, until 1:00.050</desc>
    <marker id="request" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" refX="10" refY="5" \##
    orient="auto"><path d="M0 0L11 5L0 10Z" fill="#0072b2"/></marker>
    <marker id="answer" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" refX="10" refY="5" \##
    orient="auto"><path d="M0 0L11 5L0 10Z" fill="#0072b2"/></marker>
    <marker id="notice" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" refX="10" refY="5" \##
    orient="auto"><path d="M0 0L11 5L0 10Z" fill="#00795a"/></marker>
    <marker id="push" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" refX="10" refY="5" \##
    orient="auto"><path d="M0 0L11 5L0 10Z" fill="#b34700"/></marker>
    <marker id="hello" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" refX="10" refY="5" \##
    orient="auto"><path d="M0 0L11 5L0 10Z" fill="#8250a0"/></marker>
    <rect width="1138" height="390" fill="#fff"/>
    <text x="24" y="28" font-size="16" font-weight="bold">scenario small · digest df1748e3f0e57c9f</text>
    <text x="24" y="47" fill="#57606a">4 events, until 1:00.050</text>
    <a xlink:href="#broken">
    <rect x="16" y="56" width="1106" height="26" fill="#fdecea" stroke="#b3261e" stroke-width="2"/><g \##
    transform="translate(36 69)"><circle cx="0" cy="0" r="9" fill="#b3261e" stroke="#b3261e" \##
    stroke-width="2"/><path d="M-4 -4L4 4M4 -4L-4 4" fill="none" stroke="#fff" stroke-width="3"/></g>
    <text x="56" y="73" fill="#b3261e" font-size="13" font-weight="bold">Broken at 1:00.050, cloud: a &amp; b \##
    differ</text>
    </a>
    <g transform="translate(41 105)"><path d="M-16 0H10" stroke="#b34700" stroke-width="2" stroke-dasharray="12 \##
    4" fill="none"/><path d="M16 0L8 -4V4Z" fill="#b34700"/></g>
    <text x="64" y="109">push</text>
    <g transform="translate(132 105)"><path d="M-5 -5L5 5M5 -5L-5 5" fill="none" stroke="#b3261e" \##
    stroke-width="2"/></g>
    <text x="155" y="109">never arrives</text>
    <g transform="translate(276 105)"><circle cx="0" cy="0" r="6" fill="#fff" stroke="#24292f" \##
    stroke-width="2"/><path d="M0 -6A6 6 0 0 1 0 6Z" fill="#24292f" stroke="none" stroke-width="2"/></g>
    <text x="299" y="109">life</text>
    <g transform="translate(356 105)"><path d="M-14 0H14" stroke="#8c959f" stroke-width="4" \##
    stroke-dasharray="none"/></g>
    <text x="379" y="109">running</text>
    <g transform="translate(464 105)"><path d="M-14 0H14" stroke="#8c959f" stroke-width="4" stroke-dasharray="2 \##
    6"/></g>
    <text x="487" y="109">background</text>
    <g transform="translate(0 60)">
    <path d="M112 106H1122" stroke="#d0d7de" stroke-width="1"/>
    <rect x="16" y="147" width="1106" height="26" fill="#f1f3f5"/>
    <path d="M372 88V132" stroke="#8c959f" stroke-width="4" stroke-dasharray="none"/>
    <path d="M372 132V292" stroke="#8c959f" stroke-width="4" stroke-dasharray="2 6"/>
    <path d="M622 88V292" stroke="#8c959f" stroke-width="4" stroke-dasharray="none"/>
    <path d="M872 88V292" stroke="#8c959f" stroke-width="4" stroke-dasharray="none"/>
    <g id="broken"><rect x="16" y="248" width="1106" height="26" fill="#fdecea" stroke="#b3261e" \##
    stroke-width="2"/><g transform="translate(36 261)"><circle cx="0" cy="0" r="9" fill="#b3261e" \##
    stroke="#b3261e" stroke-width="2"/><path d="M-4 -4L4 4M4 -4L-4 4" fill="none" stroke="#fff" \##
    stroke-width="3"/></g></g>
    <g><title>60000 gateway -&gt; phone push: family x60040 force-quit</title><path d="M872 195L392 217" \##
    fill="none" stroke="#b34700" stroke-width="1.6" stroke-dasharray="12 4"/><g transform="translate(392 \##
    217)"><path d="M-5 -5L5 5M5 -5L-5 5" fill="none" stroke="#b3261e" stroke-width="2"/></g></g>
    <g><title>5 phone life: background</title><g transform="translate(372 132)"><circle cx="0" cy="0" r="8" \##
    fill="#fff"/><circle cx="0" cy="0" r="6" fill="#fff" stroke="#24292f" stroke-width="2"/><path d="M0 -6A6 6 0 \##
    0 1 0 6Z" fill="#24292f" stroke="none" stroke-width="2"/></g></g>
    <g><title>phone</title><rect x="272" y="70" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="372" y="87" text-anchor="middle" font-weight="bold">phone</text></g>
    <g><title>cloud</title><rect x="521" y="70" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="621" y="87" text-anchor="middle" font-weight="bold">cloud</text></g>
    <g><title>gateway</title><rect x="772" y="70" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="872" y="87" text-anchor="middle" font-weight="bold">gateway</text></g>
    <g><title>0 phone step: A phone &lt;sleeps&gt;</title><rect x="111" y="111" width="121" height="14" \##
    fill="#fff" fill-opacity="0.85"/><text x="112" y="122" font-weight="bold" font-size="11">A phone \##
    &lt;sleeps&gt;</text></g>
    <g><title>0:00.000</title><text x="96" y="122" text-anchor="end" fill="#57606a" \##
    font-size="11">0:00.000</text></g>
    <g><title>5 phone life: background</title><rect x="384" y="124" width="104" height="14" fill="#fff" \##
    fill-opacity="0.85"/><text x="385" y="135">life: background</text></g>
    <g><title>59 s in which nothing is shown to happen</title><text x="34" y="164" fill="#57606a" \##
    font-style="italic">59 s later</text></g>
    <g><title>60000 gateway -&gt; phone push: family x60040 force-quit</title><rect x="819" y="180" width="41" \##
    height="14" fill="#fff" fill-opacity="0.85"/><text x="859" y="191" text-anchor="end">family</text></g>
    <g><title>1:00.000</title><text x="96" y="198" text-anchor="end" fill="#57606a" \##
    font-size="11">1:00.000</text></g>
    <g><title>60000 gateway -&gt; phone push: family x60040 force-quit</title><rect x="384" y="225" width="63" \##
    height="14" fill="#fff" fill-opacity="0.85"/><text x="385" y="236" fill="#b3261e" \##
    font-style="italic">force-quit</text></g>
    <g><title>1:00.040</title><text x="96" y="220" text-anchor="end" fill="#57606a" \##
    font-size="11">1:00.040</text></g>
    <g><title>60050 cloud broken: a &amp; b differ</title><text x="56" y="265" fill="#b3261e" \##
    font-weight="bold">Broken at 1:00.050, cloud: a &amp; b differ</text></g>
    <g><title>phone</title><rect x="272" y="292" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="372" y="309" text-anchor="middle" font-weight="bold">phone</text></g>
    <g><title>cloud</title><rect x="521" y="292" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="621" y="309" text-anchor="middle" font-weight="bold">cloud</text></g>
    <g><title>gateway</title><rect x="772" y="292" width="200" height="24" rx="4" fill="#eaeef2" \##
    stroke="#8c959f"/><text x="872" y="309" text-anchor="middle" font-weight="bold">gateway</text></g>
    </g>
    </svg>

    """##
}
