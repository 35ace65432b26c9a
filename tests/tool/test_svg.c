/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* Pictures as SVG: shapes, escaping, positions of values on axes. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/draw/svg.h"
#include "../io/scratch.h"

static char message[HD__IO_MESSAGE];

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* Writes the picture and reads the file. */
static char *written(hd__svg *svg)
{
    const char *path = scratch_path("picture.svg");
    char *text = calloc(1, 1 << 20);
    FILE *file;

    CHECK_STATUS(hd__svg_close(svg, path, message), 0);
    file = fopen(path, "rb");
    if (!text || !file)
        abort();
    CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* Every element that begins also ends; counts only markup. */
static void check_balanced(const char *text)
{
    CHECK_EQ_SIZE(count_of(text, "<"),
                  count_of(text, "/>") + 2 * count_of(text, "</") + count_of(text, "<?"));
    CHECK_EQ_SIZE(count_of(text, "<"), count_of(text, ">"));
    CHECK_EQ_SIZE(count_of(text, "\"") % 2, 0);
}

TEST(shapes_are_where_they_were_put)
{
    const double line[6] = {0, 1, 2, 3.456, -5, 6};
    hd__svg svg;
    char *text;

    hd__svg_open(&svg, 320, 200);
    hd__svg_rect(&svg, 1.5, 2.25, 30, 40, "#123456", "about it");
    hd__svg_rect(&svg, 0, 0, -3, 4, "red", NULL);
    hd__svg_line(&svg, 1, 2, 3, 4, "blue", 0.5);
    hd__svg_polyline(&svg, line, 3, "green", 2);
    hd__svg_dot(&svg, 7, 8, 9, "black", NULL);
    hd__svg_text(&svg, 10, 20, 12, HD__SVG_END, "black", "hello");
    text = written(&svg);
    CHECK(strstr(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"") != NULL);
    CHECK(strstr(text, "width=\"320.00\" height=\"200.00\" viewBox=\"0 0 320.00 200.00\"") != NULL);
    CHECK(strstr(text, "<rect x=\"1.50\" y=\"2.25\" width=\"30.00\" height=\"40.00\" "
                       "fill=\"#123456\"><title>about it</title></rect>") != NULL);
    CHECK(strstr(text, "width=\"0.00\" height=\"4.00\" fill=\"red\"/>") != NULL);
    CHECK(strstr(text, "points=\"0.00,1.00 2.00,3.46 -5.00,6.00\"") != NULL);
    CHECK(strstr(text, "text-anchor=\"end\" fill=\"black\">hello</text>") != NULL);
    CHECK(strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
    check_balanced(text);
    free(text);
}

TEST(titles_legends_and_turned_text)
{
    double next;
    hd__svg svg;
    char *text;

    hd__svg_open(&svg, 320, 200);
    hd__svg_title(&svg, 10, 20, "a picture");
    next = hd__svg_legend(&svg, 10, 40, "#112233", "first");
    CHECK_EQ_F64_BITS(next, 10 + hd__svg_legend_width("first"));
    hd__svg_legend(&svg, next, 40, "#445566", "second");
    hd__svg_text_up(&svg, 30, 100, 12, HD__SVG_MIDDLE, "black", "upwards");
    text = written(&svg);
    CHECK(strstr(text, ">a picture</text>") != NULL);
    CHECK(strstr(text, "fill=\"#112233\"/>") < strstr(text, ">first</text>"));
    CHECK(strstr(text, ">first</text>") < strstr(text, "fill=\"#445566\"/>"));
    CHECK(strstr(text, "y=\"100.00\" transform=\"rotate(-90 30.00 100.00)\"") != NULL);
    check_balanced(text);
    free(text);
}

/* Relative luminance of #rrggbb as WCAG 2 defines it. */
static double luminance(const char *colour)
{
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;

    for (int c = 0; c < 3; c++) {
        const char digits[3] = {colour[1 + 2 * c], colour[2 + 2 * c], 0};
        const double part = (double)strtoul(digits, NULL, 16) / 255;
        sum += weights[c] * (part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* Darker with every step, and text on it is readable: contrast at least 3. */
TEST(the_colour_scale_darkens_evenly)
{
    double before = 2;
    char colour[8], end[8];
    hd__svg svg;
    char *text;

    for (int step = 0; step <= 100; step++) {
        hd__svg_scale_colour(step / 100.0, colour);
        const double here = luminance(colour),
                     written_on = luminance(hd__svg_on_scale(step / 100.0));
        const double light = here > written_on ? here : written_on;
        const double dark = here > written_on ? written_on : here;
        CHECK(here < before);
        CHECK((light + 0.05) / (dark + 0.05) >= 3);
        before = here;
    }
    hd__svg_scale_colour(-3, colour);
    hd__svg_scale_colour(0, end);
    CHECK_EQ_STR(colour, end);
    hd__svg_scale_colour(7, colour);
    hd__svg_scale_colour(1, end);
    CHECK_EQ_STR(colour, end);
    hd__svg_open(&svg, 320, 200);
    hd__svg_colour_bar(&svg, 10, 20, 100, 0, 20, "GB/s");
    text = written(&svg);
    CHECK(strstr(text,
                 "y=\"124.20\" font-size=\"12.00\" text-anchor=\"start\" fill=\"#404040\">0<") !=
          NULL); /* at its bottom */
    CHECK(strstr(text,
                 "y=\"24.20\" font-size=\"12.00\" text-anchor=\"start\" fill=\"#404040\">20<") !=
          NULL); /* at its top */
    CHECK(strstr(text, ">GB/s</text>") != NULL);
    check_balanced(text);
    free(text);
}

TEST(counts_have_ticks_at_whole_numbers)
{
    const hd__svg_axis x = {1, 3, 100, 200, 0, 1}, y = {0, 1, 300, 20, 0, 0};
    hd__svg svg;
    char *text;

    hd__svg_open(&svg, 320, 200);
    hd__svg_axis_x(&svg, &x, &y, "devices");
    text = written(&svg);
    CHECK(strstr(text, ">2</text>") && strstr(text, ">3</text>") && !strstr(text, ">1.5</text>"));
    free(text);
}

TEST(foreign_text_is_escaped)
{
    hd__svg svg;
    char *text;

    hd__svg_open(&svg, 10, 10);
    hd__svg_text(&svg, 0, 0, 1, HD__SVG_START, "black", "a<b> & \"c\" \x01\xff");
    hd__svg_rect(&svg, NAN, INFINITY, 1e300, 1, "x\"y", "</title>");
    text = written(&svg);
    CHECK(strstr(text, "a&lt;b&gt; &amp; &quot;c&quot; ") != NULL);
    CHECK(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    CHECK(strchr(text, '\x01') == NULL && strchr(text, '\xff') == NULL);
    check_balanced(text);
    free(text);
}

TEST(axes_map_values_to_pixels)
{
    const hd__svg_axis x = {0, 10, 100, 200, 0, 0}, y = {1, 256, 300, 20, 1, 0};
    const hd__svg_axis none = {5, 5, 7, 9, 0, 0};
    hd__svg svg;
    char *text;

    CHECK_NEAR(hd__svg_at(&x, 0), 100, 1e-9);
    CHECK_NEAR(hd__svg_at(&x, 2.5), 125, 1e-9);
    CHECK_NEAR(hd__svg_at(&y, 256), 20, 1e-9);
    CHECK_NEAR(hd__svg_at(&y, 16), 160, 1e-9); /* half way between 2^0 and 2^8 */
    CHECK_NEAR(hd__svg_at(&none, 5), 7, 1e-9);
    hd__svg_open(&svg, 400, 400);
    hd__svg_axis_x(&svg, &x, &y, "time / ms");
    hd__svg_axis_y(&svg, &y, &x, "streams");
    hd__svg_axis_x(&svg, &none, &y, "nothing");
    text = written(&svg);
    CHECK(strstr(text, ">time / ms</text>") != NULL);
    CHECK(strstr(text, ">2</text>") != NULL && strstr(text, ">10</text>") != NULL);
    CHECK(strstr(text, ">256</text>") != NULL && strstr(text, ">1</text>") != NULL);
    CHECK_EQ_SIZE(count_of(text, "<text"), 6 + 1 + 9 + 1 + 1); /* 0 2 .. 10, 1 2 4 .. 256 */
    check_balanced(text);
    free(text);
}

TEST(a_picture_of_many_shapes)
{
    hd__svg svg;
    char *text;

    hd__svg_open(&svg, 10, 10);
    for (int i = 0; i < 5000; i++)
        hd__svg_line(&svg, i, i, i, i, "red", 1);
    text = written(&svg);
    CHECK_EQ_SIZE(count_of(text, "<line"), 5000);
    free(text);
}

TEST(files_that_cannot_be_written)
{
    hd__svg svg;

    hd__svg_open(&svg, 10, 10);
    CHECK_STATUS(hd__svg_close(&svg, "/no/such/folder/x.svg", message), HD__IO_ERR_FILE);
    CHECK(strstr(message, "No such file") != NULL);
    hd__svg_open(&svg, 10, 10);
    CHECK_STATUS(hd__svg_close(&svg, "/dev/full", message), HD__IO_ERR_FILE);
    CHECK(strstr(message, "No space left") != NULL);
    hd__svg_open(&svg, 10, 10);
    hd__svg_drop(&svg);
    CHECK(svg.text == NULL);
}

TEST_MAIN
