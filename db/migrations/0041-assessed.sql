-- It returns other columns now.
drop function if exists app.link_page();
